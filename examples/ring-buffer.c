/* A ring buffer: its indices stay within bounds, whatever is put in and taken out. */
#include <assert.h>

#define SIZE 8

extern int __VERIFIER_nondet_int(void);

static int buffer[SIZE];
static unsigned head, tail, count;

static int put(int value) {
  if (count == SIZE)
    return 0;
  assert(head < SIZE);
  buffer[head] = value;
  head = (head + 1) % SIZE;
  count++;
  return 1;
}

static int take(int *value) {
  if (count == 0)
    return 0;
  assert(tail < SIZE);
  *value = buffer[tail];
  tail = (tail + 1) % SIZE;
  count--;
  return 1;
}

int main(void) {
  int value = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int())
      put(value);
    else
      take(&value);
    assert(count <= SIZE);
  }
  return 0;
}
