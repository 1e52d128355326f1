import { twMerge } from 'tailwind-merge';
import { describe, expect, it } from 'vitest';
import { cn } from './cn.ts';

describe('cn', () => {
  it('omits falsy values', () => {
    expect(cn('flex', false, undefined, null, 'p-2')).toBe('flex p-2');
  });

  it.each([
    'p-5 p-2',
    'p-5 px-2',
    'px-2 p-5',
    'px-4 py-2 px-6',
    'size-10 h-8',
    'h-8 w-4 size-10',
    'h-4 w-full h-3.5 w-3/5',
    'text-sm text-ink text-lg text-leaf text-center',
    'leading-tight text-sm',
    'text-sm leading-tight',
    'text-wrap text-balance',
    'font-display font-semibold font-sans font-medium',
    'rounded rounded-full',
    'border border-hairline border-b border-0 border-leaf',
    'border-dashed border-solid border-hairline',
    'block hidden sm:block inline-flex',
    'absolute relative top-2 -top-1 inset-e-0 inset-0',
    'inset-0 top-2',
    'bg-surface hover:bg-sunken bg-leaf hover:bg-leaf-soft',
    'gap-x-4 gap-y-2 gap-3',
    'grid-cols-2 md:grid-cols-3 grid-cols-4 md:grid-cols-1',
    'col-span-2 col-start-1 col-span-3',
    'flex flex-wrap flex-col flex-nowrap flex-row',
    'min-h-10 pointer-coarse:min-h-11 min-h-8',
    'overflow-hidden overflow-x-auto overflow-visible',
    'shrink-0 shrink grow-0 grow',
    'opacity-55 disabled:opacity-55 opacity-80',
    '[&>svg]:size-4 [&>svg]:size-5',
    'mx-auto ms-2 m-0 -ms-1',
    'ms-1 mx-2 ps-3 px-4 pe-5',
    'border-s-2 border-e border-x-0 border-s',
    'inset-s-1 inset-x-2 inset-e-3',
    'text-start text-end',
    'aspect-square aspect-2/1',
    'min-h-24 resize-y resize-none',
    'link tabular skeleton text-ink',
  ])('keeps the later of two conflicting classes, as Tailwind Merge does: %s', (classes) => {
    expect(cn(...classes.split(' '))).toBe(twMerge(classes));
  });
});
