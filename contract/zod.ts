import { z } from 'zod';

// The page's policy forbids compiling code, and zod would try once whether it may, which the browser
// reports. This must run before the first schema is made: import zod from here wherever that can be.
if ('document' in globalThis) z.config({ jitless: true });

export { z };
