import { config } from "zod";

// Its compiled parsers try `new Function` first, which the content security policy refuses and reports, on every page.
config({ jitless: true });
