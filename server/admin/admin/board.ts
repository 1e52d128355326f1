import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { IServerAdapter, UIConfig } from '@bull-board/api/typings/app';
import { KoaAdapter } from '@bull-board/koa';
import escapeHtml from 'escape-html';
import type { Middleware } from 'koa';
import { theMarket } from '#contract/platform/market/constants';
import { t } from '#contract/platform/text/constants/texts';
import type { Platform } from '../../platform/http/platform.ts';

/** The board's pages name a stylesheet of fonts elsewhere, which the content policy refuses. */
const FOREIGN_FONTS = /<link href="https:\/\/fonts\.googleapis\.com[^>]*>/;

/** The way back: the board keeps links of its users in a menu without a name. */
const linkToAdmin = () =>
  '<a href="/admin/dashboard" style="position:fixed;inset-inline-end:1rem;bottom:1rem;z-index:50;padding:.75rem 1rem;' +
  'border-radius:.625rem;background:var(--primary);color:var(--primary-foreground);font-family:var(--font-sans);' +
  `text-decoration:none">${escapeHtml(t('Back to {market}', { market: theMarket().name }))}</a>`;

const SANS = 'system-ui, -apple-system, "Segoe UI", sans-serif';

/** The market's colours (`web/platform/ui/colors.css`), by day and by night. */
const theme = {
  light: {
    background: '#faf6ec',
    foreground: '#1a2b20',
    card: '#fffdf7',
    'card-foreground': '#1a2b20',
    popover: '#fffefb',
    'popover-foreground': '#1a2b20',
    primary: '#2c6b39',
    'primary-foreground': '#fffef8',
    'muted-foreground': '#46544a',
    'state-hover': '#f2ecde',
    'state-selected': '#e2eeda',
    'state-selected-hover': '#e2eeda',
    'state-selected-foreground': '#1f5229',
    border: '#e2d9c6',
    ring: '#2c6b39',
    sidebar: '#faf6ec',
    'sidebar-foreground': '#1a2b20',
    'sidebar-state-hover': '#f2ecde',
    'sidebar-state-selected': '#e2eeda',
    'sidebar-state-selected-hover': '#e2eeda',
    'sidebar-state-selected-foreground': '#1f5229',
    'sidebar-border': '#e2d9c6',
    'font-sans': SANS,
  },
  dark: {
    background: '#17130f',
    foreground: '#f3ecdc',
    card: '#211b15',
    'card-foreground': '#f3ecdc',
    popover: '#2a231b',
    'popover-foreground': '#f3ecdc',
    primary: '#8bcb8e',
    'primary-foreground': '#0f1f11',
    'muted-foreground': '#cdc3b0',
    'state-hover': '#2a231b',
    'state-selected': '#233120',
    'state-selected-hover': '#233120',
    'state-selected-foreground': '#b8e1b5',
    border: '#3a3128',
    ring: '#8bcb8e',
    sidebar: '#17130f',
    'sidebar-foreground': '#f3ecdc',
    'sidebar-state-hover': '#2a231b',
    'sidebar-state-selected': '#233120',
    'sidebar-state-selected-hover': '#233120',
    'sidebar-state-selected-foreground': '#b8e1b5',
    'sidebar-border': '#3a3128',
    'font-sans': SANS,
  },
};

/** Names the board after the market, also once that has another name. */
class NamedAdapter extends KoaAdapter {
  override setUIConfig(config: UIConfig): this {
    super.setUIConfig(
      Object.defineProperty({ ...config }, 'boardTitle', {
        get: () => t('{market} queues', { market: theMarket().name }),
        enumerable: true,
      }),
    );
    return this;
  }
}

/** Creates the pages that show the job queues, below a path. They lead back to the dashboard. */
export function createBoard(platform: Platform, path: string): Middleware {
  const { email, push, sms, housekeeping } = platform.queues();
  const adapter = new NamedAdapter();
  adapter.setBasePath(path);
  createBullBoard({
    queues: [email, push, sms, housekeeping].map((queue) => new BullMQAdapter(queue)),
    // The adapter's types come from another patch release of the board.
    serverAdapter: adapter as unknown as IServerAdapter,
    options: {
      uiConfig: {
        boardLogo: { path: '/favicon.svg', width: 28, height: 28 },
        favIcon: { default: '/favicon.svg', alternative: '/icons/icon-192.png' },
        hideDocsLink: true,
        theme,
      },
    },
  });
  const pages = adapter.registerPlugin() as Middleware;
  return async (ctx, next) => {
    await pages(ctx, next);
    if (typeof ctx.body !== 'string') return;
    ctx.body = ctx.body
      .replace(FOREIGN_FONTS, '')
      .replace('<div id="root">', (root) => linkToAdmin() + root);
  };
}
