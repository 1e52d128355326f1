import './platform/hooks/history-guard.ts';
import './platform/ui/theme.css';
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import {
  type Dehydrated,
  hydrateQueries,
  readDehydrated,
  SETTLED_EVENT,
} from './app/dehydrated.ts';
import { Providers } from './app/Providers.tsx';
import { routes } from './app/routes.tsx';
import { reportUncaughtErrors } from './platform/api/report-later.ts';
import { beginLanguage } from './platform/format/language.ts';
import { beginMarket } from './platform/format/market.ts';
import { isHydratedAtom, setRenderMoment } from './platform/hooks/hydration.ts';
import { createQueryClient } from './platform/queries/query-client.ts';
import { isEarlierKept } from './platform/session/owned.ts';
import { store } from './platform/session/session.ts';

const found = document.getElementById('root');
if (!found) throw new Error('index.html has no element with the id "root".');
const root = found;
const client = createQueryClient();
const app = (
  <StrictMode>
    <Providers client={client}>
      <App />
    </Providers>
  </StrictMode>
);

reportUncaughtErrors();

const dehydrated = readDehydrated();
// The first price is shown as this market writes it.
void Promise.all([beginMarket(dehydrated?.queries), takeOverEarlier()]).then(async () => {
  await beginLanguage(dehydrated !== null);
  await (dehydrated ? takeOver(dehydrated) : start());
});

/** Gives what an earlier release kept to its persons, before anything reads it. */
async function takeOverEarlier(): Promise<void> {
  if (!isEarlierKept()) return;
  // Without the file it is done at the next visit.
  const upkeep = await import('./platform/session/owned-upkeep.ts').catch(() => undefined);
  upkeep?.takeOverEarlier();
}

/** Shows a page that the server did not render. */
function start(): void {
  document.dispatchEvent(new Event(SETTLED_EVENT));
  createRoot(root).render(app);
}

/** Takes over the page that the server rendered, once the page's own file is there. */
async function takeOver({ route, ...rest }: Dehydrated): Promise<void> {
  try {
    await routes.find(({ path }) => path === route)?.preload();
  } catch {
    // A newer release has replaced the file, or the connection is lost: the page says so itself.
    start();
    return;
  }
  store.set(isHydratedAtom, false);
  setRenderMoment(rest.moment);
  hydrateQueries(client, { route, ...rest });
  hydrateRoot(root, app);
}
