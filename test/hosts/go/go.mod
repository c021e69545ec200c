module example.org/host

go 1.25

require (
	github.com/mattn/go-sqlite3 v1.14.53
	modernc.org/sqlite v1.62.0
)
