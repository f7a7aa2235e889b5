// expect: value:[{"status":"rejected","reason":"it is broken"},{"status":"fulfilled","value":"ok"}]
// also: no-finding TN2001
(await Promise.allSettled([host.fails(), host.ok()])).map((r) => ({ ...r, ...(r.reason ? { reason: r.reason.message } : {}) }))
