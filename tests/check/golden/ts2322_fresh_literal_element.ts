type Level = "low" | "high";
export const levels: Level[] = ["low", "mid"];
//! TS2322 2:40-2:45 Expected `Level`, found `"mid"`.
