import {
  CellStyleModule,
  ClientSideRowModelModule,
  ColumnApiModule,
  ColumnAutoSizeModule,
  ModuleRegistry,
  PinnedRowModule,
  RenderApiModule,
  RowApiModule,
  RowStyleModule,
  ScrollApiModule,
  themeQuartz,
} from 'ag-grid-community';

/** The only list of AG Grid's parts: what is not here is not in the bundle. */
ModuleRegistry.registerModules([
  CellStyleModule,
  ClientSideRowModelModule,
  ColumnApiModule,
  ColumnAutoSizeModule,
  PinnedRowModule,
  RenderApiModule,
  RowApiModule,
  RowStyleModule,
  ScrollApiModule,
]);

/** Quartz on our own colour variables: it follows the theme by itself, without a second set of colours. */
const gridTheme = themeQuartz.withParams({
  browserColorScheme: 'inherit',
  fontFamily: 'inherit',
  fontSize: 13,
  headerFontSize: 12,
  headerFontWeight: 600,
  headerHeight: 36,
  spacing: 6,
  cellHorizontalPadding: 9,
  backgroundColor: 'var(--surface)',
  foregroundColor: 'var(--ink)',
  headerTextColor: 'var(--muted)',
  headerBackgroundColor: 'var(--sunken)',
  chromeBackgroundColor: 'var(--sunken)',
  borderColor: 'var(--line)',
  accentColor: 'var(--primary)',
  rowHoverColor: 'var(--hover)',
  selectedRowBackgroundColor: 'var(--primary-soft)',
  oddRowBackgroundColor: 'transparent',
  wrapperBorder: false,
  wrapperBorderRadius: 0,
  columnBorder: false,
  pinnedRowBackgroundColor: 'var(--sunken)',
  pinnedRowFontWeight: 600,
  pinnedRowTextColor: 'var(--ink)',
  rangeSelectionBorderColor: 'var(--primary)',
});

/** Of this page (theme.js): the policy allows the style elements that have it. Absent outside the built app. */
const styleNonce = (globalThis as { ['__webpack_nonce__']?: string })['__webpack_nonce__'];
export const gridLook = { theme: gridTheme, ...(styleNonce && { styleNonce }) };

/**
 * Where the platform lays its scroll bars over the content, AG Grid does too, and its bar covers the end of the last
 * column: there it gets a strip of its own (the size of AG Grid's bar) that the columns do not share. undefined: as
 * wide as it is.
 */
export const gutter = hasOverlayScrollbars() ? 16 : undefined;

function hasOverlayScrollbars(): boolean {
  const probe = document.createElement('div');
  probe.style.cssText = 'position: absolute; visibility: hidden; width: 50px; height: 50px; overflow: scroll';
  document.body.append(probe);
  const isOverlay = probe.offsetWidth === probe.clientWidth;
  probe.remove();
  return isOverlay;
}
