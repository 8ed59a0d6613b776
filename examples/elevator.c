/* A state machine: the doors of an elevator are never open while it moves. */
#include <assert.h>
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);

enum state { STANDING, OPENING, OPEN, CLOSING, MOVING };

int main(void) {
  enum state state = STANDING;
  bool open = false, moving = false;
  for (;;) {
    int wish = __VERIFIER_nondet_int();
    switch (state) {
    case STANDING:
      if (wish == 1)
        state = OPENING;
      else if (wish == 2) {
        moving = true;
        state = MOVING;
      }
      break;
    case OPENING:
      open = true;
      state = OPEN;
      break;
    case OPEN:
      if (wish == 0)
        state = CLOSING;
      break;
    case CLOSING:
      open = false;
      state = STANDING;
      break;
    case MOVING:
      moving = false;
      state = STANDING;
      break;
    }
    assert(!(open && moving));
  }
}
