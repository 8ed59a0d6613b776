/* A loop over an array: what is called the maximum is not less than the first element. */
#include <assert.h>

#define SIZE 16

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int numbers[SIZE];
  for (int i = 0; i < SIZE; i++)
    numbers[i] = __VERIFIER_nondet_int();
  int maximum = numbers[0];
  for (int i = 1; i < SIZE; i++)
    if (numbers[i] > maximum)
      maximum = numbers[i];
  assert(maximum >= numbers[0]);
  return 0;
}
