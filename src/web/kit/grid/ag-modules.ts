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

/** The only list of AG Grid's modules: a module that is not here is not in the bundle. */
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

/** The Quartz theme with our colour variables, so that it follows light and dark without a second set of colours. */
const gridTheme = themeQuartz.withParams({
  browserColorScheme: 'inherit',
  fontFamily: 'inherit',
  fontSize: 13,
  headerFontSize: 12,
  headerFontWeight: 600,
  headerHeight: 36,
  spacing: 6,
  cellHorizontalPadding: 6,
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

/** The page's nonce (theme.js): the content security policy allows style elements with it. Absent outside the built app. */
const styleNonce = (globalThis as { ['__webpack_nonce__']?: string })['__webpack_nonce__'];
export const gridStyle = { theme: gridTheme, ...(styleNonce && { styleNonce }) };

/**
 * On platforms with overlay scroll bars AG Grid's own bar would cover the end of the last column. There it gets a strip of
 * its own with the size of AG Grid's bar. undefined keeps the platform's width.
 */
export const scrollbarWidth = hasOverlayScrollbars() ? 16 : undefined;

function hasOverlayScrollbars(): boolean {
  const probe = document.createElement('div');
  probe.style.cssText = 'position: absolute; visibility: hidden; width: 50px; height: 50px; overflow: scroll';
  document.body.append(probe);
  const isOverlay = probe.offsetWidth === probe.clientWidth;
  probe.remove();
  return isOverlay;
}
