// Reads Go packages that declare API types and prints their facts as JSON: types, fields, tags, markers, string constants and
// registered kinds. No prose is kept. Arguments: pairs of import path and directory.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

type field struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Embeds  bool     `json:"embeds,omitempty"`
	JSON    *string  `json:"json"`
	Proto   string   `json:"proto,omitempty"`
	Patch   string   `json:"patchStrategy,omitempty"`
	Merge   string   `json:"patchMergeKey,omitempty"`
	Markers []string `json:"markers,omitempty"`
}

type declaration struct {
	Struct  bool     `json:"struct,omitempty"`
	Alias   bool     `json:"alias,omitempty"`
	Type    string   `json:"type,omitempty"`
	Fields  []field  `json:"fields,omitempty"`
	Markers []string `json:"markers,omitempty"`
}

type constant struct {
	Name  string `json:"name"`
	Type  string `json:"type,omitempty"`
	Value string `json:"value"`
	// Ref names another constant whose value this one has.
	Ref string `json:"ref,omitempty"`
	// Marked constants carry markers of their own, such as a feature gate.
	Markers []string `json:"markers,omitempty"`
}

type kind struct {
	Kind string `json:"kind"`
	Type string `json:"type"`
}

type packageFacts struct {
	Types     map[string]declaration `json:"types"`
	Constants []constant             `json:"constants"`
	Kinds     []kind                 `json:"kinds"`
}

type reader struct {
	path    string
	imports map[string]string
	lines   *token.FileSet
	file    *ast.File
}

func main() {
	out := map[string]packageFacts{}
	for i := 1; i+1 < len(os.Args); i += 2 {
		out[os.Args[i]] = readPackage(os.Args[i], os.Args[i+1])
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		panic(err)
	}
}

func readPackage(path, directory string) packageFacts {
	facts := packageFacts{Types: map[string]declaration{}, Constants: []constant{}, Kinds: []kind{}}
	names, err := filepath.Glob(filepath.Join(directory, "*.go"))
	if err != nil {
		panic(err)
	}
	if len(names) == 0 {
		panic("no Go files in " + directory)
	}
	for _, name := range names {
		base := filepath.Base(name)
		if strings.HasSuffix(base, "_test.go") || strings.HasPrefix(base, "zz_generated") || strings.HasSuffix(base, ".pb.go") {
			continue
		}
		if matches, err := build.Default.MatchFile(directory, base); err != nil || !matches {
			continue
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, name, nil, parser.ParseComments)
		if err != nil {
			panic(err)
		}
		r := &reader{path: path, imports: map[string]string{}, lines: files, file: parsed}
		for _, spec := range parsed.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			alias := filepath.Base(imported)
			if spec.Name != nil {
				alias = spec.Name.Name
			}
			r.imports[alias] = imported
		}
		r.readDeclarations(&facts)
		r.readKinds(&facts)
	}
	return facts
}

func (r *reader) readDeclarations(facts *packageFacts) {
	for _, declared := range r.file.Decls {
		general, ok := declared.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range general.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				doc := spec.Doc
				if doc == nil {
					doc = general.Doc
				}
				facts.Types[spec.Name.Name] = r.declare(spec, append(r.before(doc, general), markers(doc)...))
			case *ast.ValueSpec:
				if general.Tok == token.CONST {
					r.readConstants(facts, spec)
				}
			}
		}
	}
}

func (r *reader) declare(spec *ast.TypeSpec, marks []string) declaration {
	structure, ok := spec.Type.(*ast.StructType)
	if !ok {
		return declaration{Alias: spec.Assign.IsValid(), Type: r.expression(spec.Type), Markers: marks}
	}
	out := declaration{Struct: true, Fields: []field{}, Markers: marks}
	for _, f := range structure.Fields.List {
		tag := reflect.StructTag("")
		if f.Tag != nil {
			text, _ := strconv.Unquote(f.Tag.Value)
			tag = reflect.StructTag(text)
		}
		base := field{Type: r.expression(f.Type), Proto: tag.Get("protobuf"), Patch: tag.Get("patchStrategy"), Merge: tag.Get("patchMergeKey"), Markers: markers(f.Doc)}
		if value, ok := tag.Lookup("json"); ok {
			base.JSON = &value
		}
		if len(f.Names) == 0 {
			base.Embeds = true
			base.Name = base.Type[strings.LastIndexAny(base.Type, "./*")+1:]
			out.Fields = append(out.Fields, base)
			continue
		}
		for _, name := range f.Names {
			if name.IsExported() {
				base.Name = name.Name
				out.Fields = append(out.Fields, base)
			}
		}
	}
	return out
}

func (r *reader) readConstants(facts *packageFacts, spec *ast.ValueSpec) {
	for i, name := range spec.Names {
		if i >= len(spec.Values) {
			continue
		}
		typeName := ""
		if spec.Type != nil {
			typeName = r.expression(spec.Type)
		}
		value := spec.Values[i]
		if call, ok := value.(*ast.CallExpr); ok && len(call.Args) == 1 {
			typeName = r.expression(call.Fun)
			value = call.Args[0]
		}
		switch value := value.(type) {
		case *ast.BasicLit:
			if value.Kind == token.STRING {
				text, _ := strconv.Unquote(value.Value)
				facts.Constants = append(facts.Constants, constant{Name: name.Name, Type: typeName, Value: text, Markers: markers(spec.Doc)})
			}
		case *ast.SelectorExpr:
			facts.Constants = append(facts.Constants, constant{Name: name.Name, Type: typeName, Ref: r.expression(value)})
		}
	}
}

func (r *reader) readKinds(facts *packageFacts) {
	ast.Inspect(r.file, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		selector, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		switch selector.Sel.Name {
		case "AddKnownTypes":
			for _, argument := range call.Args[1:] {
				if name := r.literalType(argument); name != "" {
					facts.Kinds = append(facts.Kinds, kind{Kind: name[strings.LastIndex(name, ".")+1:], Type: name})
				}
			}
		case "AddKnownTypeWithName":
			with, ok := call.Args[0].(*ast.CallExpr)
			if !ok || len(with.Args) != 1 {
				return true
			}
			literal, ok := with.Args[0].(*ast.BasicLit)
			if !ok {
				return true
			}
			name, _ := strconv.Unquote(literal.Value)
			facts.Kinds = append(facts.Kinds, kind{Kind: name, Type: r.literalType(call.Args[1])})
		}
		return true
	})
}

func (r *reader) literalType(e ast.Expr) string {
	if unary, ok := e.(*ast.UnaryExpr); ok {
		if literal, ok := unary.X.(*ast.CompositeLit); ok {
			return r.expression(literal.Type)
		}
	}
	return ""
}

func (r *reader) expression(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		if e.Obj == nil && strings.ToLower(e.Name[:1]) == e.Name[:1] {
			return e.Name
		}
		return r.path + "." + e.Name
	case *ast.SelectorExpr:
		alias := e.X.(*ast.Ident).Name
		imported, ok := r.imports[alias]
		if !ok {
			imported = alias
		}
		return imported + "." + e.Sel.Name
	case *ast.StarExpr:
		return "*" + r.expression(e.X)
	case *ast.ArrayType:
		return "[]" + r.expression(e.Elt)
	case *ast.MapType:
		return "map[" + r.expression(e.Key) + "]" + r.expression(e.Value)
	case *ast.InterfaceType:
		return "any"
	default:
		return fmt.Sprintf("?%T", e)
	}
}

// before gives the markers of the comment block that a blank line separates from the type's own comment: generators read both.
func (r *reader) before(doc *ast.CommentGroup, general *ast.GenDecl) []string {
	position := general.Pos()
	if doc != nil {
		position = doc.Pos()
	}
	line := r.lines.Position(position).Line
	for _, group := range r.file.Comments {
		if r.lines.Position(group.End()).Line == line-2 {
			return markers(group)
		}
	}
	return nil
}

func markers(doc *ast.CommentGroup) []string {
	if doc == nil {
		return nil
	}
	var out []string
	for _, comment := range doc.List {
		for _, line := range strings.Split(strings.TrimPrefix(comment.Text, "//"), "\n") {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "+") && len(line) > 1 && line[1] != ' ' {
				out = append(out, line[1:])
			}
		}
	}
	return out
}
