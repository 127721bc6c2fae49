// Sends each chain that it reads to a server, whatever is wrong with it, and writes who the server takes the client for.
package main

import (
	"bufio"
	"bytes"
	"crypto"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"time"
)

type question struct {
	Chain   [][]byte          `json:"chain"`
	Key     []byte            `json:"key"`
	Headers map[string]string `json:"headers"`
}

type answer struct {
	Status int             `json:"status"`
	Error  string          `json:"error,omitempty"`
	Body   json.RawMessage `json:"body,omitempty"`
}

const review = `{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}`

func main() {
	output := json.NewEncoder(os.Stdout)
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked question
		if err := json.Unmarshal(line, &asked); err != nil {
			panic(err)
		}
		if err := output.Encode(ask(os.Args[1], asked)); err != nil {
			panic(err)
		}
	}
}

func ask(url string, asked question) answer {
	key, err := x509.ParsePKCS8PrivateKey(asked.Key)
	if err != nil {
		return answer{Error: "key: " + err.Error()}
	}
	own := &tls.Certificate{Certificate: asked.Chain, PrivateKey: key.(crypto.PrivateKey)}
	transport := &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{
		InsecureSkipVerify:   true,
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return own, nil },
	}}
	client := &http.Client{Transport: transport, Timeout: 20 * time.Second}
	request, err := http.NewRequest("POST", url+"/apis/authentication.k8s.io/v1/selfsubjectreviews", bytes.NewBufferString(review))
	if err != nil {
		return answer{Error: err.Error()}
	}
	request.Header.Set("Content-Type", "application/json")
	for name, value := range asked.Headers {
		request.Header.Set(name, value)
	}
	response, err := client.Do(request)
	if err != nil {
		return answer{Error: err.Error()}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Status: response.StatusCode, Body: body}
}
