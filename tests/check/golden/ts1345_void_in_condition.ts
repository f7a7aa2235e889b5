declare function save(): void;
export const ok = save() || "failed";
//! TS1345 2:19-2:25 This call returns nothing (`void`), so it cannot be a condition.
