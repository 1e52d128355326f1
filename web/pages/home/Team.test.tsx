// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { members, Team } from './Team.tsx';

const shown = () => screen.queryAllByRole('link').map((link) => link.getAttribute('href'));

it("leads to the people's own pages as the market has them, and nowhere where it has none", () => {
  const { rerender } = render(<Team links={[]} />);
  expect(shown()).toEqual(members.map(({ profile }) => profile));
  rerender(<Team links={['https://maya.example', '', '', '', 'https://grace.example']} />);
  expect(shown()).toEqual(['https://maya.example', 'https://grace.example']);
});
