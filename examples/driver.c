/* A driver in miniature: a table of operations, a device on the heap, and a count of who uses it. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct device {
  int users;
  int powered;
};

struct operations {
  int (*open)(struct device *);
  int (*release)(struct device *);
};

static int device_open(struct device *device) {
  if (device->users == 0)
    device->powered = 1;
  device->users++;
  return 0;
}

static int device_release(struct device *device) {
  assert(device->users > 0);
  device->users--;
  if (device->users == 0)
    device->powered = 0;
  return 0;
}

static const struct operations operations = {device_open, device_release};

int main(void) {
  struct device *device = malloc(sizeof *device);
  int opened = 0;
  device->users = 0;
  device->powered = 0;
  while (__VERIFIER_nondet_int()) {
    if (!opened && operations.open(device) == 0)
      opened = 1;
    else if (opened) {
      assert(device->powered);
      operations.release(device);
      opened = 0;
    }
  }
  free(device);
  return 0;
}
