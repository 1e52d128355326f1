// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest';
import { keepDraft, readDraft } from './drafts.ts';

beforeEach(() => keepDraft('me', 'finn', ''));

it('keeps what one began to write, for each conversation and each writer', () => {
  keepDraft('me', 'finn', 'Half a sent');
  expect(readDraft('me', 'finn')).toBe('Half a sent');
  expect(readDraft('me', 'ada')).toBe('');
  expect(readDraft('you', 'finn')).toBe('');
  expect(localStorage.getItem('message-drafts')).toContain('Half a sent');
});

it('keeps nothing of what was sent or deleted', () => {
  keepDraft('me', 'finn', 'Half');
  keepDraft('me', 'finn', '  ');
  expect(readDraft('me', 'finn')).toBe('');
  expect(localStorage.getItem('message-drafts')).toBe('{}');
});

it('forgets the oldest when there are very many', () => {
  for (let number = 0; number < 60; number++) keepDraft('me', `person ${number}`, 'x');
  expect(readDraft('me', 'person 0')).toBe('');
  expect(readDraft('me', 'person 59')).toBe('x');
});
