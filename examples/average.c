/* An overflow: the average of two numbers is not always between them if their sum is computed first. */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned average(unsigned a, unsigned b) { return (a + b) / 2; }

int main(void) {
  unsigned low = __VERIFIER_nondet_uint();
  unsigned high = __VERIFIER_nondet_uint();
  if (low <= high) {
    unsigned middle = average(low, high);
    assert(low <= middle && middle <= high);
  }
  return 0;
}
