// An upstream that keeps what it has understood. It prints its address and that of its record, and ends with its input.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
)

type understood struct {
	Method string `json:"method"`
	Target string `json:"target"`
	Body   string `json:"body"`
}

var lock sync.Mutex
var record = []understood{}

func keep(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err == nil {
		lock.Lock()
		// The characters are the bytes of the body.
		characters := make([]rune, len(body))
		for index, value := range body {
			characters[index] = rune(value)
		}
		record = append(record, understood{request.Method, request.RequestURI, string(characters)})
		lock.Unlock()
	}
	response.Write([]byte("ok"))
}

func give(response http.ResponseWriter, _ *http.Request) {
	lock.Lock()
	json.NewEncoder(response).Encode(record)
	record = []understood{}
	lock.Unlock()
}

func serve(handler http.HandlerFunc) int {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go http.Serve(listener, handler)
	return listener.Addr().(*net.TCPAddr).Port
}

func main() {
	fmt.Printf("[%d,%d]\n", serve(keep), serve(give))
	io.ReadAll(os.Stdin)
}
