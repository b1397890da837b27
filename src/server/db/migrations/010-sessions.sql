-- Where a session was opened from, for its owner's list of open sessions.
ALTER TABLE sessions ADD COLUMN address text NOT NULL DEFAULT '';
