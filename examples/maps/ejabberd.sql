-- ejabberd: finds the owners of the lists with a blocked contact.
CREATE INDEX ON public.privacy_list_data (value);
