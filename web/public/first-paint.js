// The theme, the page's shape and the rail, before any other script. The Content-Security-Policy forbids
// inline scripts. See web/lib/theme.ts, web/app/routes.tsx and web/app/work-navigation.ts.
{
  const read = (key) => {
    try {
      return JSON.parse(localStorage.getItem(key));
    } catch {
      // Storage is forbidden or holds an invalid value: as if nothing were stored.
      return null;
    }
  };
  const { dataset } = document.documentElement;

  const theme = read('theme');
  if (theme === 'light' || theme === 'dark') dataset.theme = theme;

  const path = location.pathname;
  if (path === '/') dataset.firstShape = 'scene';
  else if (/^\/(products|farmers)\/?$/.test(path)) dataset.firstShape = 'cards';
  else if (/^\/(admin\/)?messages(\/|$)/.test(path)) dataset.firstShape = 'chat';
  else dataset.firstShape = 'rows';

  const role = read('user')?.role;
  if (role === 'farmer' || role === 'admin') dataset.firstRail = '';
}
