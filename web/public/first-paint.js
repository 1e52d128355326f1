// The theme, the page's shape, the rail, who is signed in and what was put away, before any other script. The Content-Security-Policy
// forbids inline scripts. See web/platform/hooks/use-media.ts, contract/edge/constants.ts and web/app/frame/WorkNav.tsx.
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

  // One is led back to one's place: web/platform/hooks/scroll-memory.ts.
  const [navigation] = performance.getEntriesByType?.('navigation') ?? [];
  if (navigation && navigation.type !== 'navigate') dataset.returned = '';

  // The build writes the pages' shapes here (vite.pages.ts).
  const SHAPES = [];
  const [, named, path] = /^(?:\/([a-z]{2,3}(?:-\w+)?)(?=\/|$))?(.*)$/.exec(location.pathname);
  const found = SHAPES.find(([, pattern]) => new RegExp(pattern).test(path || '/'));
  dataset.firstShape = found?.[0] ?? 'rows';

  // The language of an empty page, as web/platform/format/language.ts finds it once it runs; a page of the server says its own.
  const isRendered = document.querySelector('link[rel="canonical"]') !== null;
  const languages = read('market')?.languages ?? [];
  if (!isRendered) {
    const [, cookie] = /\blanguage=([\w-]+)/.exec(document.cookie) ?? [];
    const preferred = navigator.languages.map((tag) => tag.toLowerCase().split('-')[0]);
    const language = [read('user')?.language, cookie, named, ...preferred, languages[0]].find(
      (each) => languages.includes(each),
    );
    const { documentElement } = document;
    documentElement.lang = language ?? documentElement.lang;
    documentElement.dir = /^(ar|fa|he|ur)\b/.test(documentElement.lang) ? 'rtl' : 'ltr';
  }

  const role = read('user')?.role;
  if (role === 'farmer' || role === 'admin') dataset.firstRail = '';
  // Both are deleted by web/app/App.tsx.
  if (role === 'consumer' || role === 'farmer' || role === 'admin') {
    dataset.firstRole = role;
    // What each of their own pages needs is asked for now; the first scripts would ask once they run. A page of the
    // server (see server/edge/pages/serve.ts) can be used with less, which comes first. See vite.config.ts.
    const isOwn = (/^\/?$/.test(path) && role === 'consumer') || !isRendered;
    const files = isOwn ? document.currentScript?.dataset.signedIn?.split(' ') : [];
    for (const file of files ?? []) {
      const link = document.createElement('link');
      Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href: file });
      document.head.append(link);
    }
  }

  // web/app/frame/Layout.tsx and server/edge/pages/serve.ts.
  const { announcement } = dataset;
  if (announcement !== undefined && announcement === read('announcement-read')) {
    dataset.announcementRead = '';
  }
}

// The browser's first format of days or numbers takes far longer than all others, and every price waits for it. It is made
// once the page is painted, while the scripts are on their way; an idle callback would come only after them. See
// contract/platform/time/constants.ts.
if (globalThis.PerformanceObserver?.supportedEntryTypes?.includes('paint')) {
  new PerformanceObserver((_, observer) => {
    observer.disconnect();
    setTimeout(() => {
      new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', { timeZone: 'UTC', hour: '2-digit' });
      new Intl.NumberFormat('en-US');
    });
  }).observe({ type: 'paint', buffered: true });
}

// The pictures below the first screen of a phone leave the line to the scripts: see `pictures-later` in web/platform/ui/frame.css.
// They come once the scripts have run or failed, or somebody scrolls.
{
  const { dataset } = document.documentElement;
  dataset.firstScreen = '';
  const events = ['farmgate:settled', 'load', 'scroll'];
  const end = () => {
    delete dataset.firstScreen;
    for (const name of events) removeEventListener(name, end, true);
  };
  for (const name of events) addEventListener(name, end, true);
}

// What is pressed, typed and ticked on a page of the server before its buttons work is kept, and done once they do.
{
  const pressed = new Set();
  const typed = new Map();
  const ticked = new Map();
  const keepPress = (event) => {
    const button = event.target.closest?.('#root button[type="button"]');
    if (!button) return;
    pressed.add(button);
    event.stopImmediatePropagation();
  };
  const keepTyped = ({ target }) => {
    if (!target.matches('#root :is(select, textarea, input)')) return;
    if (/^(checkbox|radio)$/.test(target.type)) {
      // Of the choices of one group the last one counts.
      ticked.delete(target);
      ticked.set(target, target.checked);
    } else typed.set(target, target.value);
  };
  // A form with an address works without scripts; the others wait.
  const keepSubmit = (event) => {
    if (event.target.hasAttribute('action')) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const button = event.submitter;
    if (button) pressed.add(button);
  };
  const type = (field, value) => {
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
    // React does not write a text that it expects to be there already.
    field.value = '';
    set.call(field, value);
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
  };
  const tick = (field, isTicked) => {
    field.checked = !isTicked;
    field.click();
  };
  const kept = [
    ['click', keepPress],
    ['input', keepTyped],
    ['submit', keepSubmit],
  ];
  for (const [name, keep] of kept) document.addEventListener(name, keep, true);
  document.addEventListener(
    'farmgate:settled',
    () => {
      for (const [name, keep] of kept) document.removeEventListener(name, keep, true);
      for (const [field, value] of typed) if (field.isConnected) type(field, value);
      for (const [field, isTicked] of ticked) if (field.isConnected) tick(field, isTicked);
      for (const button of pressed) if (button.isConnected) button.click();
    },
    { once: true },
  );
}

// Where the application's first scripts could not be loaded, the page is loaded again: of several servers another one may
// have them, or the same in a moment. Before it was, there is nothing to press.
{
  const RELOADS_MAX = 3;
  const KEY = 'reloads-without-scripts';
  // In the language of the page.
  const { unloaded, unfinished } = document.currentScript?.dataset ?? {};
  const say = (text) => {
    const notice = document.createElement('p');
    notice.setAttribute('role', 'alert');
    notice.className = 'wrap py-10';
    notice.textContent = text;
    document.getElementById('root')?.prepend(notice);
  };
  const reload = async () => {
    try {
      await fetch(location.href, { cache: 'no-store' });
    } catch {
      say(unloaded);
      addEventListener('online', () => location.reload());
      return;
    }
    const count = Number(sessionStorage.getItem(KEY));
    if (count < RELOADS_MAX) {
      sessionStorage.setItem(KEY, count + 1);
      setTimeout(() => location.reload(), 500 * 2 ** count);
    } else say(unfinished);
  };
  const onError = ({ target }) => {
    if (target.type !== 'module') return;
    end();
    // Storage may be forbidden: then nothing is tried, because nothing could end it.
    reload().catch(() => undefined);
  };
  const onSettled = () => {
    end();
    try {
      sessionStorage.removeItem(KEY);
    } catch {
      // Storage is forbidden.
    }
  };
  const end = () => {
    removeEventListener('error', onError, true);
    document.removeEventListener('farmgate:settled', onSettled);
  };
  addEventListener('error', onError, true);
  document.addEventListener('farmgate:settled', onSettled);
}
