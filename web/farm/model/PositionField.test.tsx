// @vitest-environment happy-dom

import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Position } from '#contract/farm/places/places';
import { PositionField } from './PositionField.tsx';

const changed = vi.fn();

function Form({ begins = null }: { begins?: Position | null }) {
  const [value, setValue] = useState(begins);
  const onChange = (position: Position | null) => {
    changed(position);
    setValue(position);
  };
  return <PositionField field={{ value, onChange }} />;
}

const box = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'On the map' });
const last = () => changed.mock.lastCall?.[0];

/** Stands in for the browser's answer to the question where its user is. */
function answerWith(answer: Position | { code: number } | null): void {
  vi.stubGlobal('isSecureContext', true);
  const getCurrentPosition = (
    onFound: (found: { coords: Position }) => void,
    onFailed: (error: { code: number }) => void,
  ) => {
    if (answer && 'code' in answer) onFailed(answer);
    else if (answer) onFound({ coords: answer });
  };
  vi.stubGlobal('navigator', { ...navigator, geolocation: { getCurrentPosition } });
}

afterEach(() => {
  cleanup();
  changed.mockReset();
  vi.unstubAllGlobals();
});

it('reads a pasted link, and shows its degrees and the way there', async () => {
  render(<Form />);
  await userEvent.click(box());
  await userEvent.paste('https://www.openstreetmap.org/?mlat=33.729871&mlon=73.03724#map=15/1/1');
  expect(last()).toEqual({ latitude: 33.72987, longitude: 73.03724 });
  await userEvent.tab();
  expect(box().value).toBe('33.72987, 73.03724');
  const link = screen.getByRole('link', { name: /^See it on a map/ });
  expect(link.getAttribute('href')).toContain('destination=33.72987%2C+73.03724');
});

it('leaves what is typed as it is typed, and says what it cannot read', async () => {
  render(<Form begins={{ latitude: 1.5, longitude: 2.5 }} />);
  expect(box().value).toBe('1.5, 2.5');
  await userEvent.clear(box());
  expect(last()).toBeNull();
  await userEvent.type(box(), 'by the oak');
  // The form is not sent with it.
  expect(last().latitude).toBeNaN();
  expect(screen.getByRole('alert').textContent).toContain("We can't read a place in this.");
  await userEvent.clear(box());
  await userEvent.type(box(), '33.50, 73.10');
  expect(last()).toEqual({ latitude: 33.5, longitude: 73.1 });
  expect(box().value).toBe('33.50, 73.10');
  expect(screen.queryByRole('alert')).toBeNull();
});

it('takes where the device is', async () => {
  render(<Form />);
  answerWith({ latitude: 33.1234567, longitude: 73.1 });
  await userEvent.click(screen.getByRole('button', { name: "I'm there now" }));
  expect(last()).toEqual({ latitude: 33.12346, longitude: 73.1 });
  expect(box().value).toBe('33.12346, 73.1');
});

it.each([
  [
    1,
    "Your browser doesn't say where you are. Allow this page to see the location, then try again.",
  ],
  [2, "Your device can't say where you are right now. Try again in a moment."],
  [3, 'Finding out where you are takes too long. Try again in a moment.'],
])('says what is wrong where the browser answers %i', async (code, sentence) => {
  render(<Form />);
  answerWith({ code });
  await userEvent.click(screen.getByRole('button', { name: "I'm there now" }));
  expect((await screen.findByRole('alert')).textContent).toBe(sentence);
  expect(changed).not.toHaveBeenCalled();
});

it('says that a page without https cannot ask', async () => {
  render(<Form />);
  vi.stubGlobal('isSecureContext', false);
  await userEvent.click(screen.getByRole('button', { name: "I'm there now" }));
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Browsers say where you are/);
});

it('says that a browser without geolocation cannot answer', async () => {
  render(<Form />);
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('navigator', { ...navigator, geolocation: undefined });
  await userEvent.click(screen.getByRole('button', { name: "I'm there now" }));
  expect((await screen.findByRole('alert')).textContent).toBe(
    "This browser can't say where you are.",
  );
});
