/** Integer ids that the type checker keeps apart: a `SortId` is no `TermId`, at no cost when it runs. */
declare const brand: unique symbol;

export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
