/* Trains a saved step: train MODULE STEPS LATER makes so many calls on a batch of its own, prints each loss, and saves
 * what has been learnt. */
#include <emberjit/emberjit.h>
#include <stdio.h>
#include <stdlib.h>

static int complain(const char* what) {
  fprintf(stderr, "train: %s\n", what);
  return 1;
}

int main(int argc, char** argv) {
  if (argc != 4) return complain("MODULE STEPS LATER");
  ember_module* step = NULL;
  if (ember_load(argv[1], &step)) return complain(ember_last_error());
  float x[4 * 48];
  int32_t y[4] = {0, 1, 2, 1};
  for (int i = 0; i < 4 * 48; ++i) x[i] = (float)(i % 7) - 3;
  const ember_tensor batch[2] = {{x, EMBER_FLOAT32, 4, {4, 3, 4, 4}}, {y, EMBER_INT32, 1, {4}}};
  for (int i = 0; i < atoi(argv[2]); ++i) {
    ember_tensor loss;
    if (ember_run(step, batch, 2) || ember_result(step, 0, &loss)) return complain(ember_last_error());
    printf("%a\n", (double)*(const float*)loss.data);
  }
  if (ember_save(step, argv[3])) return complain(ember_last_error());
  ember_free(step);
  return 0;
}
