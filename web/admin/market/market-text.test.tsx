// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { MarketText } from './MarketText.tsx';

afterEach(cleanup);

it('shows headings below that of the page, lists, tables and links', () => {
  const { container } = render(
    <MarketText
      language="en"
      body={[
        '# Delivery',
        '',
        'We bring it **on Fridays**. See [the farms](/farmers) or [the map](https://map.test/a).',
        '',
        '- Leeks',
        '- Pears',
        '',
        '| Day | Place |',
        '|:---:|---:|',
        '| Friday | Gate |',
      ].join('\n')}
    />,
  );
  expect(screen.getByRole('heading', { name: 'Delivery', level: 2 })).toBeDefined();
  expect(screen.queryByRole('heading', { level: 1 })).toBeNull();
  expect(screen.getByText('on Fridays').closest('strong')).not.toBeNull();
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Leeks',
    'Pears',
  ]);
  expect(screen.getByRole('cell', { name: 'Gate' })).toBeDefined();
  expect(screen.getByRole('link', { name: 'the farms' }).getAttribute('href')).toBe('/farmers');
  expect(screen.getByRole('link', { name: 'the map' }).getAttribute('rel')).toBe('noreferrer');
  expect(container.querySelectorAll('[style], [onclick]')).toHaveLength(0);
});

it.each([
  '<script>window.hit = 1</script>',
  '<img src=x onerror="window.hit = 1">',
  '<iframe src="https://evil.test"></iframe>',
  '<a href="javascript:window.hit = 1">press</a>',
  '[press](javascript:window.hit=1)',
  '[press](JaVaScRiPt:window.hit=1)',
  '[press](java&#115;cript:window.hit=1)',
  '[press](data:text/html;base64,PHNjcmlwdD4=)',
  '[press](vbscript:x)',
  '![pixel](https://evil.test/pixel.gif)',
  '<style>* { display: none }</style>',
  '<div style="position:fixed">over everything</div>',
  '[a]: javascript:window.hit=1\n\n[press][a]',
  '<javascript:window.hit=1>',
  '# main\n\n# frame',
])('makes nothing but text and safe links of %s', (body) => {
  const { container } = render(<MarketText language="en" body={body} />);
  expect(container.querySelectorAll('script, img, iframe, style, [style]')).toHaveLength(0);
  for (const link of container.querySelectorAll('a')) {
    expect(link.getAttribute('href') ?? '').toMatch(/^(https?:|mailto:|\/|#)/);
  }
  expect(container.querySelector('#main, #frame')).toBeNull();
  for (const element of container.querySelectorAll('*')) {
    expect([...element.attributes].filter(({ name }) => name.startsWith('on'))).toEqual([]);
  }
});
