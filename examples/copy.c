/* What has been copied is what there was. */
#include <assert.h>

#define SIZE 1000

int from[SIZE], to[SIZE];

int read_number(void);

int main(void) {
  for (int i = 0; i < SIZE; i++) from[i] = read_number();
  for (int i = 0; i < SIZE; i++) to[i] = from[i];
  for (int i = 0; i < SIZE; i++) assert(to[i] == from[i]);
}
