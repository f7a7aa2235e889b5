declare function at(lat: number, lon: number): void;
const point = [1, 2];
at(...point);
export {};
//! TS2556 3:4-3:12 Only a tuple, whose length is known, can be spread into these parameters.  [declared=at: (lat: number, lon: number) => void]
