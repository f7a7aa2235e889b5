//? --input 'rows=[{"n":1,"more":2},{"n":"2"}]' --input-type 'rows=Row[]' --input 'when={"$type":"date","value":null}' --input-type 'when=Date' --input 'size="m"' --input-type 'size="s" | "l"'
interface Row { n: number; next?: Row }
return rows.length;
//! TN1125 1:1-1:1 The input `rows[1].n` must be `number`, and is `"2"`.  [in=the input]
//! TN1125 1:1-1:1 The input `size` must be `"l" | "s"`, and is `"m"`.  [in=the input]
