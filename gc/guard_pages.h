// Blocks beside pages that nobody may touch, for tests: EMBERJIT_GUARD_PAGES=after puts the end of every block against
// such a page, EMBERJIT_GUARD_PAGES=before its start, so that one byte too far ends the process where it is touched, in
// emitted code too. Blocks are not reused then, and after= keeps no alignment but that of the elements.
#pragma once

#include <cstddef>

namespace ember::gc {

enum class GuardPages { None, Before, After };

GuardPages guard_pages();  // what the environment asked for when it was first asked

void* guarded_allocate(size_t bytes);  // null if the system has no more
void guarded_free(void* block, size_t bytes);

}  // namespace ember::gc
