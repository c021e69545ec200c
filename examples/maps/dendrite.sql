-- Dendrite: finds an account by its ID.
CREATE INDEX ON public.userapi_accounts (('@' || localpart || ':' || server_name) COLLATE "C");
