// Runs each statement of the files on a database of SQLite, as a chat server does.
package main

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	_ "github.com/mattn/go-sqlite3"
	_ "modernc.org/sqlite"
)

func main() {
	driver, database, files := os.Args[1], os.Args[2], os.Args[3:]
	ctx := context.Background()
	pool := must(sql.Open(driver, database))
	connection := must(pool.Conn(ctx))
	input := bufio.NewReader(os.Stdin)
	var milliseconds float64
	for _, file := range files {
		lines := strings.Split(strings.TrimSuffix(string(must(os.ReadFile(file))), "\n"), "\n")
		began := processorTime()
		for _, line := range lines {
			fields := strings.Split(line, "\t")
			var values []any
			for _, text := range fields[1:] {
				values = append(values, value(text))
			}
			if _, err := connection.ExecContext(ctx, fields[0], values...); err != nil {
				fmt.Println("error", strings.ReplaceAll(err.Error(), "\n", " "))
			}
		}
		milliseconds += processorTime() - began
		fmt.Println("ready")
		must(input.ReadString('\n'))
	}
	var version string
	if err := connection.QueryRowContext(ctx, "SELECT sqlite_version()").Scan(&version); err != nil {
		panic(err)
	}
	fmt.Println("version", version)
	fmt.Println("milliseconds", milliseconds)
}

func value(text string) any {
	switch text[0] {
	case 'i':
		return must(strconv.ParseInt(text[1:], 10, 64))
	case 't':
		return text[1:]
	}
	return nil
}

func processorTime() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e6
}

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}
