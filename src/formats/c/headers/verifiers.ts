/**
 * Headers that programs written for other verifiers include. They say what those tools' own headers mean: which conditions are
 * assumed, which are to be shown, and where values come from.
 */
export const VERIFIER_HEADERS: Readonly<Record<string, string>> = {
  // The functions of the software verification competition, which has no header of its own.
  'svcomp.h': `
#ifndef _SVCOMP_H
#define _SVCOMP_H
#include <stdbool.h>
extern void __VERIFIER_error(void) __attribute__((__noreturn__));
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned int __VERIFIER_nondet_unsigned(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern __SIZE_TYPE__ __VERIFIER_nondet_size_t(void);
extern void *__VERIFIER_nondet_pointer(void);
#ifndef __VERIFIER_assert
#define __VERIFIER_assert(condition) ((condition) ? (void)0 : __VERIFIER_error())
#endif
#endif
`,

  'smack.h': `
#ifndef _SMACK_H
#define _SMACK_H
#include <svcomp.h>
#define __SMACK_assume(condition) __VERIFIER_assume(condition)
#define __SMACK_assert(condition) __VERIFIER_assert(condition)
#define assume(condition) __VERIFIER_assume(condition)
#ifndef assert
#define assert(condition) __VERIFIER_assert(condition)
#endif
#endif
`,

  'seahorn/seahorn.h': `
#ifndef _SEAHORN_H
#define _SEAHORN_H
#include <stdbool.h>
#include <stdint.h>
extern void __VERIFIER_error(void);
extern void __VERIFIER_assume(int);
extern void __SEA_assume(bool);
#define assume(condition) __VERIFIER_assume(condition)
#define sassert(condition) ((void)((condition) || (__VERIFIER_error(), 0)))
#define __VERIFIER_assert_not(condition) sassert(!(condition))
#define __VERIFIER_assert_if(premise, condition) sassert(!(premise) || (condition))
#define sea_assert_if(premise, condition) sassert(!(premise) || (condition))
/* What follows speaks of the memory that SeaHorn keeps beside that of the program. */
#define sea_is_deref sea_is_dereferenceable
extern bool sea_is_dereferenceable(const void *, intptr_t);
extern bool sea_is_modified(char *);
extern void sea_reset_modified(char *);
extern void sea_tracking_on(void);
extern void sea_tracking_off(void);
extern void sea_set_shadowmem(char, char *, char);
extern char sea_get_shadowmem(char, char *);
#endif
`,

  // Functions without a body are to be found by SeaHorn; here they are any functions.
  'seahorn/seasynth.h': `
#ifndef _SEASYNTH_H
#define _SEASYNTH_H
#define PARTIAL_FN
#include <seahorn/seahorn.h>
#endif
`,
};
