/* A lock must be taken before it is given back, and not be taken twice. One path forgets to give it back. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int locked = 0;

static void lock(void) {
  assert(!locked);
  locked = 1;
}

static void unlock(void) {
  assert(locked);
  locked = 0;
}

int main(void) {
  int requests = 0, served;
  do {
    lock();
    served = requests;
    if (__VERIFIER_nondet_int()) {
      requests++; /* the lock is still held */
      continue;
    }
    unlock();
  } while (requests != served);
  return 0;
}
