"""Runs each statement of the files on a database of SQLite, as a chat server does."""

import sqlite3
import sys
import time


def value(text):
    return {"i": int, "t": str, "n": lambda _: None}[text[0]](text[1:])


database, *files = sys.argv[1:]
connection = sqlite3.connect(database, isolation_level=None)
seconds = 0.0
for file in files:
    with open(file, encoding="utf-8") as lines:
        statements = [line.rstrip("\n").split("\t") for line in lines]
    statements = [(sql, [value(text) for text in values]) for sql, *values in statements]
    began = time.process_time()
    for sql, values in statements:
        try:
            connection.execute(sql, values)
        except sqlite3.Error as error:
            print("error", error)
    seconds += time.process_time() - began
    print("ready", flush=True)
    sys.stdin.readline()
print("version", sqlite3.sqlite_version)
print("milliseconds", seconds * 1000)
