-- A change of many challans writes each of them into the search index again, which took more than half of its time. New
-- entries are collected first, and merged in when they come to 512 kB: a search reads at most that many besides (about
-- 1 ms), so that the reason of migration 003 against collecting them does not hold for so short a list.
ALTER INDEX challans_tp_search SET (fastupdate = on, gin_pending_list_limit = 512);
