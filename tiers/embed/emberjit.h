/* Saved programs without Python, for C and what calls C. emberjit.hpp is the same for C++.
 *
 *   ember_module* step = NULL;
 *   if (ember_load("step.ebc", &step)) ...              // written by fn.save() or export()
 *   ember_tensor inputs[2] = {{x, EMBER_FLOAT32, 2, {32, 64}}, {y, EMBER_INT32, 1, {32}}};
 *   for (int i = 0; i < 100; ++i)
 *     if (ember_run(step, inputs, 2)) puts(ember_last_error());
 *   ember_result(step, 0, &loss);                       // lies there until the next call
 *   ember_save(step, "later.ebc");                      // with what it has learnt
 *   ember_free(step);
 *
 * Functions that return int return 0, or 1 and leave in ember_last_error() what is wrong; then nothing has been done.
 * Tensors are dense and row-major, in the caller's memory, which has to last as long as the call. A module is one
 * thread's at a time; several modules may run at once. */
#ifndef EMBERJIT_H
#define EMBERJIT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EMBER_API __attribute__((visibility("default")))
#define EMBER_API_VERSION 1 /* grows when a function or a field is added; none changes or goes */
#define EMBER_MAX_RANK 8

typedef enum {
  EMBER_BOOL,
  EMBER_INT8,
  EMBER_INT16,
  EMBER_INT32,
  EMBER_INT64,
  EMBER_UINT8,
  EMBER_FLOAT16,
  EMBER_BFLOAT16,
  EMBER_FLOAT32,
  EMBER_FLOAT64,
} ember_dtype;

typedef struct {
  void* data;
  ember_dtype dtype;
  int32_t rank;
  int64_t shape[EMBER_MAX_RANK];
} ember_tensor;

typedef struct ember_module ember_module;

EMBER_API int ember_version(void);            /* EMBER_API_VERSION of the library that has been loaded */
EMBER_API const char* ember_last_error(void); /* of this thread; "" if there has been none */

EMBER_API int ember_load(const char* path, ember_module** module);
EMBER_API void ember_free(ember_module* module);

/* What the module takes and gives. Numbers are tensors of rank 0: Bool, Int64 or Float64. */
EMBER_API size_t ember_inputs(const ember_module* module);
EMBER_API size_t ember_results(const ember_module* module);
EMBER_API const char* ember_input_name(const ember_module* module, size_t input); /* NULL beyond the last */

/* Calls it. */
EMBER_API int ember_run(ember_module* module, const ember_tensor* inputs, size_t count);

/* A result of the last call, in the module's memory until the next. */
EMBER_API int ember_result(const ember_module* module, size_t result, ember_tensor* tensor);

/* State: the Parameters that the module writes. Its memory is the module's, and may be written between calls. */
EMBER_API size_t ember_states(const ember_module* module);
EMBER_API const char* ember_state_name(const ember_module* module, size_t state); /* NULL beyond the last */
EMBER_API int ember_state(ember_module* module, size_t state, ember_tensor* tensor);

/* The module with its state as it is now; the state alone, as a safetensors file. Whole, or not at all. */
EMBER_API int ember_save(const ember_module* module, const char* path);
EMBER_API int ember_save_state(const ember_module* module, const char* path);

EMBER_API int ember_set_threads(int count);

#ifdef __cplusplus
}
#endif

#endif
