import { vi } from 'vitest';

// A process runs many files one after the other: each begins with modules and a window in which no other file
// kept anything.
vi.resetModules();

if (typeof document !== 'undefined') {
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
  document.body.replaceChildren();
  const { configure } = await import('@testing-library/react');
  // Pages are imported lazily, which is slow on a busy machine.
  configure({ asyncUtilTimeout: 30_000 });
}
