const pair = [1, 2;
export { pair };
//! TS1005 1:19-1:20 Expected `,`, found `;`.
