// Zod would otherwise try whether it may compile code, which the page's policy forbids and reports.
// This is where zod reads its settings from when it arrives; asking zod itself would bring it along.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
