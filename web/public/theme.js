// Applies the chosen theme before the first paint. A separate file because the
// Content-Security-Policy forbids inline scripts. See web/lib/theme.ts for the rest.
try {
  const theme = JSON.parse(localStorage.getItem('theme'));
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is forbidden or holds an invalid value: the device's setting applies.
}
