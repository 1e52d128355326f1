import './lib/history-guard.ts';
import './ui/theme.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { Providers } from './app/Providers.tsx';
import { beginMarket } from './lib/market.ts';
import { reportUncaughtErrors } from './lib/report-error.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id "root".');

reportUncaughtErrors();

// The first price is shown as this market writes it.
void beginMarket().then(() =>
  createRoot(root).render(
    <StrictMode>
      <Providers>
        <App />
      </Providers>
    </StrictMode>,
  ),
);
