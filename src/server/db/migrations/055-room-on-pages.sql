-- A challan is paid soon after it was entered, and its neighbours with it. With a fifth of the page free, seven of ten updates went
-- to another page and wrote each index again; with half of it free, each has room beside its old version (docs/decisions.md 98).
-- For pages from now on: what is there is mostly paid.
ALTER TABLE challans SET (fillfactor = 50);
