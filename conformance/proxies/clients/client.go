// Requests of Go's net/http: go run client.go URL. Prints what was sent and what failed, as JSON.
package main

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

const rounds = 60

type refusal struct {
	path, kind string
	status     int
}

var (
	base     = os.Args[1]
	lock     sync.Mutex
	sent     = 0
	failed   = map[string]int{}
	refusals = []refusal{
		{"/refused", "application/x-upload", 401},
		{"/nowhere", "application/x-upload", 404},
		{"/limited", "application/x-buffer", 413},
	}
	client = &http.Client{
		Timeout: 20 * time.Second,
		Transport: &http.Transport{
			TLSClientConfig:     &tls.Config{InsecureSkipVerify: true},
			MaxIdleConnsPerHost: 8,
		},
	}
)

func contentOf(token string, size int) []byte {
	return bytes.Repeat([]byte(token+"\n"), size/(len(token)+1)+1)[:size]
}

// A reader whose length net/http does not know: the body is chunked.
type unsized struct{ io.Reader }

func check(name, method, path string, status int, body io.Reader, kind string, isRight func(string, []byte) bool) {
	random := make([]byte, 8)
	rand.Read(random)
	token := hex.EncodeToString(random)
	separator := "?"
	if strings.Contains(path, "?") {
		separator = "&"
	}
	fault := ask(method, base+path+separator+"token="+token, token, status, body, kind, isRight)
	lock.Lock()
	defer lock.Unlock()
	sent++
	if fault != "" {
		failed[name+": "+fault]++
	}
}

func ask(method, url, token string, status int, body io.Reader, kind string, isRight func(string, []byte) bool) string {
	request, err := http.NewRequest(method, url, body)
	if err != nil {
		return err.Error()
	}
	if kind != "" {
		request.Header.Set("Content-Type", kind)
	}
	response, err := client.Do(request)
	if err != nil {
		text := err.Error()
		return text[strings.LastIndex(text, "\"")+1:]
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return err.Error()
	}
	seen := response.Header.Get("X-Token")
	switch {
	case response.StatusCode != status:
		return fmt.Sprintf("status %d", response.StatusCode)
	case seen != token && (status == 200 || seen != ""):
		return "the response of another request"
	case isRight != nil && !isRight(token, content):
		return "another content"
	}
	return ""
}

func round(index int) {
	size := 1 + int(math.Pow(200000, float64(index)/rounds))
	isWhole := func(token string, content []byte) bool { return bytes.Equal(content, contentOf(token, size)) }
	check("get", "GET", fmt.Sprintf("/bytes?size=%d", size), 200, nil, "", isWhole)
	check("stream", "GET", fmt.Sprintf("/stream?size=%d", size), 200, nil, "", isWhole)
	body := contentOf("body", size)
	hash := sha256.Sum256(body)
	wanted := fmt.Sprintf(`{"size":%d,"hash":"%s"}`, size, hex.EncodeToString(hash[:]))
	isHashed := func(_ string, content []byte) bool { return string(content) == wanted }
	check("upload", "POST", "/upload", 200, bytes.NewReader(body), "application/x-upload", isHashed)
	check("chunked upload", "POST", "/upload", 200, unsized{bytes.NewReader(body)}, "application/x-upload", isHashed)
	big := bytes.Repeat([]byte(" "), 400000)
	for _, one := range refusals {
		var body io.Reader = bytes.NewReader(big)
		if index%2 == 0 {
			body = unsized{body}
		}
		check(fmt.Sprintf("refused with %d", one.status), "POST", one.path, one.status, body, one.kind, nil)
	}
}

func main() {
	indices := make(chan int)
	var lanes sync.WaitGroup
	for lane := 0; lane < 4; lane++ {
		lanes.Add(1)
		go func() {
			defer lanes.Done()
			for index := range indices {
				round(index)
			}
		}()
	}
	for index := 0; index < rounds; index++ {
		indices <- index
	}
	close(indices)
	lanes.Wait()
	check("large", "GET", "/bytes?size=20000000", 200, nil, "", func(token string, content []byte) bool {
		return bytes.Equal(content, contentOf(token, 20000000))
	})
	printed, _ := json.Marshal(map[string]any{"sent": sent, "failed": failed})
	fmt.Println(string(printed))
}
