// Threads of the library's own take no signals of the process, whose handlers belong to others.
#pragma once

#include <signal.h>

namespace ember::ops {

// While one lives, this thread, and those that it starts, takes but faults, which blocked would end the process unseen
// by their handlers.
class WithoutSignals {
 public:
  WithoutSignals() {
    sigset_t most;
    sigfillset(&most);
    for (int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP}) sigdelset(&most, fault);
    pthread_sigmask(SIG_SETMASK, &most, &before_);
  }
  ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace ember::ops
