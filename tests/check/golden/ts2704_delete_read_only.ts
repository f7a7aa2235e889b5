const o: { readonly a?: number } = { a: 1 };
delete o.a;
//! TS2704 2:8-2:11 A read-only property cannot be deleted.
