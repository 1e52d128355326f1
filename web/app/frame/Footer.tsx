import { Mail, MapPin, Phone } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { Link } from 'wouter';
import { MARKET_PAGE_NAMES } from '#contract/admin/market-pages/constants';
import type { Market } from '#contract/platform/market/constants';
import { msg, t, writeMessage } from '#contract/platform/text/constants/texts';
import { useMarket } from '../../platform/format/market.ts';
import { useToday } from '../../platform/hooks/use-now.ts';
import { useIsUsed } from '../../platform/hooks/when-idle.ts';
import { Logo } from '../../platform/ui/art/Drawing.tsx';
import { toast } from '../../platform/ui/feedback/toast.ts';
import { Field, Input } from '../../platform/ui/fields/Field.tsx';
import { optional } from '../../platform/ui/lazy-with-retry.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { ThemeSwitch } from './ThemeSwitch.tsx';

export const LanguageChoice = optional(() => import('../../people/users/LanguageChoice.tsx'));

const links = [
  { href: '/', label: msg('Home') },
  { href: '/products', label: msg('Products') },
  { href: '/farmers', label: msg('Farmers') },
  { href: '/about', label: msg('About Us') },
];

/** The footer of every page. On phones it has room for a toast below what can be pressed. */
export function Footer() {
  const { name, tagline, contact, pages, languages } = useMarket();
  const isUsed = useIsUsed();
  const hasContact = Object.values(contact).some(Boolean);
  // The market's own text about itself is behind About Us already.
  const texts = pages.filter((slug) => slug !== 'about');
  return (
    <footer
      data-print="hide"
      className="mt-16 border-t border-hairline bg-sunken max-sm:pb-[calc(5rem+var(--pinned-height,0px))] defer-paint-220 sm:defer-paint-82"
    >
      <div className="wrap grid gap-10 py-12 sm:grid-cols-2 lg:grid-cols-[1.5fr_1fr_1.3fr_1.7fr]">
        <div className="grid content-start gap-4">
          <p className="flex items-center gap-2 font-display text-lg font-semibold wrap-anywhere">
            <Logo className="size-8" />
            {name}
          </p>
          <p className="max-w-64 text-sm text-ink-soft">
            {tagline ||
              t('Fresh produce straight from the farms around you, at the price the farmer set.')}
          </p>
          <ThemeSwitch />
          {/* It comes in a file of its own, once somebody is there. */}
          {languages.length > 1 && <div className="min-h-11">{isUsed && <LanguageChoice />}</div>}
        </div>
        <nav aria-label={t('Quick links')} className="grid content-start gap-3">
          <Heading>{t('Quick links')}</Heading>
          <ul className="grid grid-cols-2 gap-1 text-sm text-ink-soft sm:grid-cols-1">
            {[
              ...links,
              ...texts.map((slug) => ({ href: `/${slug}`, label: MARKET_PAGE_NAMES[slug] })),
            ].map(({ href, label }) => (
              <li key={href}>
                <Link
                  href={href}
                  className="inline-flex min-h-8 items-center rounded hover:text-ink hover:underline pointer-coarse:min-h-11"
                >
                  {writeMessage(label)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        {hasContact && <Contact {...contact} />}
        <Newsletter />
      </div>
      <div className="wrap">
        <p className="border-t border-hairline py-5 text-xs text-ink-soft">
          © {useToday().slice(0, 4)} {name}
        </p>
      </div>
    </footer>
  );
}

/** How the market can be reached; parts that it does not have are left out. */
function Contact({ address, phone, email }: Market['contact']) {
  const linkClass =
    'inline-flex min-h-6 items-center rounded hover:text-ink hover:underline pointer-coarse:min-h-11';
  return (
    <div className="grid content-start gap-3">
      <Heading>{t('Contact')}</Heading>
      <address className="grid gap-2.5 text-sm not-italic text-ink-soft [&_svg]:mt-1 [&_svg]:size-4 [&_svg]:shrink-0 [&>p]:flex [&>p]:min-w-0 [&>p]:items-start [&>p]:gap-2.5">
        {address && (
          <p>
            <MapPin />
            {address}
          </p>
        )}
        {phone && (
          <p>
            <Phone />
            <a dir="ltr" href={`tel:${phone.replace(/[^\d+]/g, '')}`} className={linkClass}>
              {phone}
            </a>
          </p>
        )}
        {email && (
          <p>
            <Mail />
            <a dir="ltr" href={`mailto:${email}`} className={`${linkClass} break-all`}>
              {email}
            </a>
          </p>
        )}
      </address>
    </div>
  );
}

function Heading({ children }: { children: string }) {
  return <h2 className="font-sans text-sm font-semibold tracking-normal">{children}</h2>;
}

const EMAIL_PATTERN = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

function Newsletter() {
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string>();
  const subscribe = (event: SubmitEvent) => {
    event.preventDefault();
    if (!EMAIL_PATTERN.test(email.trim()))
      return setError(t('Please enter a valid email address.'));
    setError(undefined);
    setEmail('');
    toast.success(t('Subscribed successfully!'));
  };
  return (
    <form noValidate onSubmit={subscribe} className="needs-scripts grid content-start gap-3">
      <Heading>{t('Newsletter')}</Heading>
      <p className="text-sm text-ink-soft">{t('What is in season, once a month.')}</p>
      <div className="flex items-start gap-2">
        <Field label={t('Newsletter address')} hideLabel error={error} className="grow">
          <Input
            inputMode="email"
            name="newsletter"
            autoComplete="email"
            placeholder={t('you@example.com')}
            value={email}
            onChange={(event) => {
              setEmail(event.target.value);
              setError(undefined);
            }}
          />
        </Field>
        <Button type="submit">{t('Subscribe')}</Button>
      </div>
    </form>
  );
}
