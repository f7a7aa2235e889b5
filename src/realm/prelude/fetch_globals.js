// The second half of the bundle: fetch, and what it is used with. It sees all that stands before it.
import { Blob, File } from "./blob.js";
import { fetch } from "./fetch.js";
import { FormData } from "./form_data.js";
import { Headers } from "./headers.js";
import { installGlobals } from "./install.js";
import { Request } from "./request.js";
import { Response } from "./response.js";

installGlobals({ Blob, File, FormData, Headers, Request, Response, fetch });
