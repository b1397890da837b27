import { afterEach, expect, test, vi } from 'vitest';
import { cleanup, render } from '@testing-library/react';
import { page, userEvent } from 'vitest/browser';
import { useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../../../../src/web/kit/ui/button.tsx';
import { Dialog } from '../../../../src/web/kit/ui/dialog.tsx';
import { focusOnceDrawn } from '../../in-the-gap.ts';
import '../../../../src/web/theme.css';

afterEach(cleanup);

interface ScreenProps {
  removeOpener?: boolean;
  returnFocus?: () => void;
  closeOnOutside?: boolean;
}

function Screen({ removeOpener = false, returnFocus, closeOnOutside = false }: ScreenProps) {
  const [isOpen, setOpen] = useState(false);
  const safe = useRef<HTMLButtonElement>(null);
  return (
    <>
      {!(removeOpener && isOpen) && (
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
      )}
      {isOpen && (
        <Dialog
          onClose={() => setOpen(false)}
          title="Sure?"
          initialFocus={safe}
          returnFocus={returnFocus}
          closeOnOutside={closeOnOutside}
          footer={<Button ref={safe}>No, Cancel</Button>}
        >
          <input aria-label="Reason" />
        </Dialog>
      )}
    </>
  );
}

test('the focus goes to the named element and comes back to the opener', async () => {
  render(<Screen />);
  await userEvent.click(page.getByRole('button', { name: 'Open' }));
  await expect.element(page.getByRole('button', { name: 'No, Cancel' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('button', { name: 'Open' })).toHaveFocus();
});

test('the key that closes a dialog from one of its fields does not press the button that opened it', async () => {
  let openings = 0;
  function Named() {
    const [isOpen, setOpen] = useState(false);
    const open = (): void => {
      openings += 1;
      setOpen(true);
    };
    return (
      <>
        <Button onClick={open}>Open</Button>
        {isOpen && (
          <Dialog onClose={() => setOpen(false)} title="Name it">
            <input aria-label="Name" onKeyDown={({ key }) => key === 'Enter' && setOpen(false)} />
          </Dialog>
        )}
      </>
    );
  }
  render(<Named />);
  await userEvent.click(page.getByRole('button', { name: 'Open' }));
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('button', { name: 'Open' })).toHaveFocus();
  // Enter again is a press of its own.
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus();
  expect(openings).toBe(2);
});

test('the focus is back when the dialog has gone, also when an answer closes it: no key falls in between', async () => {
  let close: () => void = () => undefined;
  function Answered() {
    const [isOpen, setOpen] = useState(false);
    useEffect(() => {
      close = () => setOpen(false);
    }, []);
    return (
      <>
        <input aria-label="Opener" onKeyDown={() => setOpen(true)} />
        {isOpen && (
          <Dialog onClose={() => setOpen(false)} title="Sent">
            <input aria-label="Reason" />
          </Dialog>
        )}
      </>
    );
  }
  render(<Answered />);
  await userEvent.click(page.getByRole('textbox', { name: 'Opener' }));
  await userEvent.keyboard('{F2}');
  await expect.element(page.getByRole('textbox', { name: 'Reason' })).toHaveFocus();
  const focused = focusOnceDrawn(() => document.querySelector('[role="dialog"]') === null);
  setTimeout(() => close());
  expect((await focused)?.getAttribute('aria-label')).toBe('Opener');
});

test('has the focus as soon as it is drawn, also when an answer opens it', async () => {
  let open: () => void = () => undefined;
  function Asked() {
    const [isOpen, setOpen] = useState(false);
    useEffect(() => {
      open = () => setOpen(true);
    }, []);
    return (
      <>
        <input aria-label="Opener" />
        {isOpen && (
          <Dialog onClose={() => setOpen(false)} title="Asked">
            <input aria-label="Reason" />
          </Dialog>
        )}
      </>
    );
  }
  render(<Asked />);
  await userEvent.click(page.getByRole('textbox', { name: 'Opener' }));
  const focused = focusOnceDrawn(() => document.querySelector('[role="dialog"]') !== null);
  setTimeout(() => open());
  expect((await focused)?.getAttribute('aria-label')).toBe('Reason');
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('textbox', { name: 'Opener' })).toHaveFocus();
});

test('keeps the focus from the start: what lies behind cannot take it', async () => {
  render(<Screen />);
  const opener = page.getByRole('button', { name: 'Open' }).element() as HTMLElement;
  await userEvent.click(opener);
  await expect.element(page.getByRole('button', { name: 'No, Cancel' })).toHaveFocus();
  opener.focus();
  await expect.element(page.getByRole('button', { name: 'No, Cancel' })).toHaveFocus();
});

test('what lies behind is out of reach, and is not styled again for it', async () => {
  render(
    <div id="root">
      <Screen />
    </div>,
  );
  const opener = page.getByRole('button', { name: 'Open' }).element();
  const sheets = document.styleSheets.length;
  await userEvent.click(opener);
  await expect.element(page.getByRole('button', { name: 'No, Cancel' })).toHaveFocus();
  const { x, y } = opener.getBoundingClientRect();
  expect(document.elementFromPoint(x + 2, y + 2)).not.toBe(opener);
  // Inherited by all that is on the screen.
  expect(getComputedStyle(opener).pointerEvents).toBe('auto');
  expect(document.styleSheets.length).toBe(sheets);
});

test('when the opener is gone the caller says where the focus goes', async () => {
  const returnFocus = vi.fn<() => void>();
  render(<Screen removeOpener returnFocus={returnFocus} />);
  await userEvent.click(page.getByRole('button', { name: 'Open' }));
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => returnFocus.mock.calls.length).toBe(1);
});

test('the second press of the double click that opened it does not close it; a later one outside does', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    render(<Screen closeOnOutside />);
    await userEvent.click(page.getByRole('button', { name: 'Open' }));
    await expect.element(page.getByRole('button', { name: 'No, Cancel' })).toHaveFocus();
    const outside = { position: { x: 5, y: 5 } };
    await userEvent.click(document.body.querySelector('.fixed.inset-0') as Element, outside);
    await expect.element(page.getByRole('dialog')).toBeVisible();
    vi.advanceTimersByTime(501);
    await userEvent.click(document.body.querySelector('.fixed.inset-0') as Element, outside);
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  } finally {
    vi.useRealTimers();
  }
});

test('a busy or impossible button keeps its place in the tab order and cannot be pressed', async () => {
  const onClick = vi.fn<() => void>();
  const { rerender } = render(
    <Button busy onClick={onClick}>
      Save
    </Button>,
  );
  const width = page.getByRole('button').element().getBoundingClientRect().width;
  await userEvent.tab();
  await expect.element(page.getByRole('button')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  rerender(
    <Button disabledReason="Nothing is selected" onClick={onClick}>
      Save
    </Button>,
  );
  await userEvent.keyboard('{Enter}');
  expect(onClick).not.toHaveBeenCalled();
  await expect.element(page.getByRole('button')).toHaveAttribute('aria-disabled', 'true');
  rerender(<Button onClick={onClick}>Save</Button>);
  expect(page.getByRole('button').element().getBoundingClientRect().width).toBe(width);
  await userEvent.keyboard('{Enter}');
  expect(onClick).toHaveBeenCalledTimes(1);
});

test('the reason is a tooltip on keyboard focus, which Escape hides', async () => {
  render(<Button disabledReason="Nothing is selected">Save</Button>);
  await userEvent.tab();
  await expect.element(page.getByRole('tooltip')).toHaveTextContent('Nothing is selected');
  await expect.element(page.getByRole('button')).toHaveAccessibleDescription('Nothing is selected');
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('tooltip')).not.toBeInTheDocument();
});

test('a sign without words names its act and its key once the keyboard reaches it', async () => {
  render(<IconButton label="Delete challan" keys="Delete" icon={<span aria-hidden>×</span>} />);
  await expect.element(page.getByRole('button', { name: 'Delete challan' })).toBeInTheDocument();
  await userEvent.tab();
  await expect.element(page.getByRole('button')).toHaveFocus();
  await expect.element(page.getByText('Delete challan')).toBeVisible();
  await expect.element(page.getByText('Delete', { exact: true })).toBeVisible();
});
