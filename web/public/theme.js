// Applies a chosen theme before the first paint. It is a file of its own because the page's policy
// allows no inline script. See web/lib/theme.ts for the rest.
try {
  const theme = JSON.parse(localStorage.getItem('theme'));
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden, or hold something else: the device's own setting then decides.
}
