#!/usr/bin/env -S tenon run
type Row = { n: number };
const rows: Row[] = [{ n: 1 }];
return rows.map(r => r.m);
//! TS2339 4:24-4:25 `Row` has no property `m`.
